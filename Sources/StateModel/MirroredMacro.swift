/// Writes the `Equatable`, `Sendable` and `Mirrored` conformances of a struct or an enum.
///
/// A struct is mirrored as its stored properties: `var`, and `let` without a value. A `let` with a
/// value is a constant of the program and no part of what is mirrored; computed and static
/// properties are left out too. A property with a value takes it where the field is absent. A
/// property in a wrapper is mirrored as the wrapper, which must be `Mirrored` itself
/// (`BindingState` is). An enum is mirrored as its cases, by name.
///
/// For a generic type each conformance is conditional: `Mirrored` where the parameters that the
/// fields mention are `Mirrored`.
@attached(
  extension, conformances: Sendable, Equatable, Mirrored,
  names: named(describe), named(bindingFields), named(encode), named(init), named(isIdentical),
  named(digest), named(writeDelta), named(apply))
public macro Mirrored() = #externalMacro(module: "StateMacros", type: "MirroredMacro")

/// Gives a field or a case of a `@Mirrored` type another name on the wire than its Swift name, or
/// lets it be read under the names that it had before.
///
/// `@Wire(aliases: "title") var name = ""` reads what an older program wrote as `title`; it always
/// writes `name`.
@attached(peer)
public macro Wire(_ name: String? = nil, aliases: String...) =
  #externalMacro(module: "StateMacros", type: "WireMacro")
