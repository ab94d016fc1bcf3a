import StateModel
import Testing

@Mirrored private struct Profile {
  @BindingState var name = "anonymous"
  @BindingState var age: Int?
  @BindingState var nested = Leaf(n: 1, text: "a")
  @Wire("locked", aliases: "closed") @BindingState var isLocked = false
  var visits = 0
}

@Mirrored private struct Holder<Item: Mirrored> {
  @BindingState var item: Item
}

@Suite("Fields that may be set from outside")
struct BindingStateTests {
  private func field<Root: Mirrored>(_ name: String, of: Root.Type) throws -> BindingField<Root> {
    try #require(Root.bindingFields.first { $0.name == name })
  }

  @Test("The registry names the marked fields, by their wire names and in wire order")
  func registry() {
    #expect(Profile.bindingFields.map(\.name) == ["age", "name", "locked", "nested"])
    #expect(Holder<Int>.bindingFields.map(\.name) == ["item"])
    #expect(Recursive.bindingFields.isEmpty)
  }

  @Test("A field is found by the name that it has, then by one that it had")
  func formerNames() {
    #expect(Profile.bindingField(named: "locked")?.aliases == ["closed"])
    #expect(Profile.bindingField(named: "closed")?.name == "locked")
    #expect(Profile.bindingField(named: "name")?.aliases == [])
    #expect(Profile.bindingField(named: "visits") == nil)
  }

  @Test("A field is found by its key path, and only by its own")
  func keyPaths() throws {
    let name = try field("name", of: Profile.self)
    #expect(name.keyPath as PartialKeyPath<Profile> == \Profile.$name)
    #expect(name.keyPath as PartialKeyPath<Profile> != \Profile.$nested)
    let nested = try field("nested", of: Profile.self)
    #expect(nested.keyPath as PartialKeyPath<Profile> == \Profile.$nested)
    #expect(nested.keyPath as PartialKeyPath<Profile> != \Profile.$nested.text)
  }

  @Test("Setting decodes the field's type; the message names the field")
  func set() throws {
    var profile = Profile()
    try field("age", of: Profile.self).set(&profile, 30.encoded()[...])
    try field("locked", of: Profile.self).set(&profile, true.encoded()[...])
    try field("nested", of: Profile.self).set(&profile, Leaf(n: 5).encoded()[...])
    #expect(profile == Profile(age: 30, nested: Leaf(n: 5), isLocked: true))
    do {
      try field("nested", of: Profile.self).set(&profile, Value(of: "x").encoded()[...])
      Issue.record("a text is no struct")
    } catch let failure as DecodingFailure {
      #expect(failure.description == "nested: expected a map, found a text")
    }
    do {
      try field("age", of: Profile.self).set(&profile, [0x01, 0x02])
      Issue.record("two items are no value")
    } catch let failure as DecodingFailure {
      #expect(failure.description == "age: 1 bytes follow the item")
    }
  }

  @Test("Each concrete type has fields of its own")
  func generics() throws {
    var number = Holder(item: 1)
    var text = Holder(item: "a")
    try field("item", of: Holder<Int>.self).set(&number, 2.encoded()[...])
    try field("item", of: Holder<String>.self).set(&text, "b".encoded()[...])
    #expect(number.item == 2 && text.item == "b")
  }

  @Test("A marked field is mirrored as its bare value, absent like it")
  func bare() throws {
    #expect(BindingState(wrappedValue: 5).encoded() == 5.encoded())
    #expect(BindingState(wrappedValue: "a").digest == "a".digest)
    #expect(BindingState<Int?>.absent == BindingState(wrappedValue: nil))
    #expect(BindingState<Int>.absent == nil)
    #expect(BindingState<Int?>.mayEncodeAsNull && !BindingState<Int>.mayEncodeAsNull)
    #expect(try Holder<Int?>(encoded: [0xA0]) == Holder(item: nil))
    #expect("\(BindingState(wrappedValue: 5))" == "5")
  }

  @Test("A part of a marked field is a field of its own")
  func parts() {
    var profile = Profile()
    profile.$nested.text.wrappedValue = "b"
    #expect(profile.nested == Leaf(n: 1, text: "b"))
    #expect(profile.$nested.n == BindingState(wrappedValue: 1))
  }
}
