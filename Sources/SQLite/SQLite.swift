/// Statements and connections of SQLite.
package enum SQLite {}
