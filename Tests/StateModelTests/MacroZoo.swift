import StateModel

/// Shapes of mirrored types, each for something that the macro has to get right.

@Mirrored struct Leaf {
  var n = 1
  @BindingState var text = ""
}

@Mirrored struct Box<Item> {
  var item: Item
  var others: [String] = []
}

@Mirrored indirect enum Tree {
  case leaf(Int)
  case node(left: Tree, right: Tree)
  case pair(Int, label: String)
  case empty
}

@Mirrored struct Hidden {
  private var secret = 3
  var shown: Int { secret * 2 }
  static var shared: Int { 5 }
  let version = 1

  init(secret: Int) { self.secret = secret }
}

@Mirrored enum Colour {
  case red
  case green
}

enum Outer {
  @Mirrored struct Inner {
    let id: Int
    var name = ""
  }
}
