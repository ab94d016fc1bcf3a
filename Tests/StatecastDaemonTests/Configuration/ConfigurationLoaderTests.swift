import Journal
import SyncProtocol
import Testing

@testable import StatecastDaemon

/// Loads from texts instead of the machine's files.
private func load(
  _ arguments: [String] = [], environment: [String: String] = [:], files: [String: String] = [:]
) throws -> ConfigurationLoader.Request {
  try ConfigurationLoader(
    program: "statecastd", name: "statecast", arguments: arguments, environment: environment
  ) { path in
    files[path].map { .success(Array($0.utf8)) }
      ?? .failure(.init(isMissing: true, text: "No such file or directory"))
  }.load()
}

private func configuration(
  _ arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
) throws -> Configuration {
  let request = try load(
    (file == nil ? [] : ["--config", "statecastd.conf"]) + arguments, environment: environment,
    files: file.map { ["statecastd.conf": $0] } ?? [:])
  guard case .serve(let configuration, let notes) = request else {
    Issue.record("\(request)")
    return Configuration()
  }
  #expect(notes.isEmpty)
  return configuration
}

/// What is said about a file, or about flags and the environment.
private func faults(
  _ arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
) -> String {
  do {
    _ = try configuration(arguments, environment: environment, file: file)
    return "nothing"
  } catch {
    return "\(error)"
  }
}

@Suite("A configuration")
struct ConfigurationLoaderTests {
  @Test("is the defaults where nothing is said")
  func defaults() throws {
    #expect(try configuration() == Configuration())
    #expect(try configuration(file: "") == Configuration())
    #expect(try configuration(file: "# only\n; comments\n\n[limits]\n[timing]") == Configuration())
  }

  @Test("is taken from flags before the environment before the file")
  func precedence() throws {
    let file = "[limits]\nframe = 17 MiB\nwindow = 17\n[timing]\nalive = 17 s\n"
    let environment = ["STATECAST_LIMITS_WINDOW": "18", "STATECAST_TIMING_ALIVE": "18s"]
    let result = try configuration(
      ["--timing-alive", "19 s", "--mode=memory"], environment: environment, file: file)
    #expect(result.limits.frame == 17 << 20)
    #expect(result.limits.window == 18)
    #expect(result.timing.alive == .seconds(19))
    #expect(result.mode == .memory)
    var expected = Configuration()
    expected.limits.frame = 17 << 20
    expected.limits.window = 18
    expected.timing.alive = .seconds(19)
    expected.mode = .memory
    #expect(result == expected)
  }

  @Test("is read from the first usual file that is there, or the one that is named")
  func files() throws {
    let user = "[limits]\nwindow = 1"
    let machine = "[limits]\nwindow = 2"
    let files = [
      "/home/a/.config/statecast/statecastd.conf": user, "/etc/statecast/statecastd.conf": machine,
      "/xdg/statecast/statecastd.conf": "[limits]\nwindow = 3", "/named": "[limits]\nwindow = 4",
    ]
    func window(_ environment: [String: String], _ arguments: [String] = []) throws -> Int? {
      guard case .serve(let found, _) = try load(arguments, environment: environment, files: files)
      else { return nil }
      return found.limits.window
    }
    #expect(try window(["HOME": "/home/a"]) == 1)
    #expect(try window(["HOME": "/home/b"]) == 2)
    #expect(try window([:]) == 2)
    #expect(try window(["HOME": "/home/a", "XDG_CONFIG_HOME": "/xdg"]) == 3)
    #expect(try window(["STATECAST_CONFIG": "/named"]) == 4)
    #expect(try window(["STATECAST_CONFIG": "/missing"], ["--config=/named"]) == 4)
    #expect(
      throws: ConfigurationError([
        .init("/missing", "No such file or directory; --config or STATECAST_CONFIG names it")
      ])
    ) {
      try window([:], ["--config", "/missing"])
    }
  }

  @Test(
    "tells where a file is wrong, with what was probably meant",
    arguments: [
      (
        "[limits]\nfram = 1 MiB",
        "statecastd.conf:2: unknown key fram in [limits]; did you mean frame?"
      ),
      (
        "[limits]\n\n# c\nalive = 1 s",
        "statecastd.conf:4: unknown key alive in [limits]; it belongs under [timing]"
      ),
      ("[limits]\nxyzzy = 1", "statecastd.conf:2: unknown key xyzzy in [limits]"),
      (
        "[limit]\nframe = 1 MiB\nwindow = 3",
        "statecastd.conf:2: unknown section [limit]; did you mean [limits]?"
      ),
      (
        "[elsewhere]\nframe = 1",
        "statecastd.conf:2: unknown section [elsewhere]; there are [daemon], [limits], [timing], [journal]"
      ),
      (
        "frame = 1 MiB",
        "statecastd.conf:1: a key before any section; put it under one of [daemon], [limits], [timing], [journal]"
      ),
      ("[limits]\nframe 1 MiB", "statecastd.conf:2: not a [section], a key = value or a # comment"),
      (
        "[limits\nframe = 1 MiB",
        "statecastd.conf:1: not a [section], a key = value or a # comment\nstatecastd.conf:2: a key before any section; put it under one of [daemon], [limits], [timing], [journal]"
      ),
      (
        "[limits]\nframe = 1 MiB\nframe = 2 MiB",
        "statecastd.conf:3: frame in [limits] is set again, first in line 2"
      ),
      (
        "[limits]\nframe = much",
        "statecastd.conf:2: \"much\" is no size; write it like 65536, 256 KiB or 16 MiB"
      ),
      (
        "[limits]\nframe = 16 MB",
        "statecastd.conf:2: \"16 MB\" is no size; write it like 65536, 256 KiB or 16 MiB"
      ),
      (
        "[limits]\nframe = 9999999999 GiB",
        "statecastd.conf:2: \"9999999999 GiB\" is no size; write it like 65536, 256 KiB or 16 MiB"
      ),
      ("[limits]\nframe = 5 KiB", "statecastd.conf:2: 5 KiB is too small; at least 64 KiB"),
      ("[limits]\nframe = 2000 GiB", "statecastd.conf:2: 2000 GiB is too large; at most 1024 GiB"),
      ("[limits]\nwindow = many", "statecastd.conf:2: \"many\" is no whole number"),
      ("[limits]\nwindow = 0", "statecastd.conf:2: 0 is not from 1 to 65536"),
      (
        "[timing]\nalive = 2",
        "statecastd.conf:2: \"2\" is no duration; write it like 250 ms, 10 s, 5 min or 1 h"
      ),
      ("[timing]\nalive = 0 s", "statecastd.conf:2: 0 s is not from 1 ms to 2592000 s"),
      ("[timing]\nalive = 9999 h", "statecastd.conf:2: 9999 h is not from 1 ms to 2592000 s"),
      (
        "[daemon]\nmode = journl",
        "statecastd.conf:2: \"journl\" is none of journal, memory; did you mean journal?"
      ),
      (
        "[daemon]\nlog-level = loud",
        "statecastd.conf:2: \"loud\" is none of debug, info, warning, error"
      ),
      (
        "[daemon]\nallowed-uids = 1000, bob",
        "statecastd.conf:2: \"bob\" is no user's number; write them like 1000, 1001 (id -u tells one)"
      ),
      (
        "[daemon]\nfolder = run",
        "statecastd.conf:2: \"run\" is no absolute path; begin it with / or ~/"
      ),
      (
        "[daemon]\nrequests = /run/x",
        "statecastd.conf:2: \"/run/x\" is no endpoint; write it like ipc:///path or tcp://127.0.0.1:port"
      ),
      (
        "[daemon]\nrequests = tcp://0.0.0.0:7000",
        "statecastd.conf:2: \"tcp://0.0.0.0:7000\" is not on this machine; tcp is for 127.0.0.1 and [::1] only"
      ),
      (
        "[daemon]\nrequests = tcp://127.0.0.1:99999",
        "statecastd.conf:2: \"99999\" is no port; write a number up to 65535, or * for any that is free"
      ),
      (
        "[daemon]\npublications = tcp://[::1]:http",
        "statecastd.conf:2: \"http\" is no port; write a number up to 65535, or * for any that is free"
      ),
      (
        "[daemon]\nrequests = ipc:///run/x\npublications = ipc:///run/x",
        "statecastd.conf:2: requests and publications are both ipc:///run/x; give each an endpoint of its own"
      ),
      (
        "[journal]\naccept-loss = yes",
        "statecastd.conf:2: accept-loss is for one start only; give it as --journal-accept-loss, not here"
      ),
      (
        "[limits]\nrequest = 32 MiB\nin-flight = 32 MiB\nbatch-bytes = 32 MiB",
        "statecastd.conf:2: request in [limits] (32 MiB) may not be more than frame in [limits] (16 MiB); change one of them"
      ),
      (
        "[timing]\nlink-lost = 500 ms",
        "statecastd.conf:2: idle-beat in [timing] (1 s) may not be more than link-lost in [timing] (500 ms); change one of them"
      ),
    ])
  func fileFaults(file: String, expected: String) { #expect(faults(file: file) == expected) }

  @Test("tells all faults at once, in the order of their places")
  func allAtOnce() {
    let file = "[limits]\nframe = x\nwindow = 0\n[limit]\na = b"
    #expect(
      faults(["--mode", "x", "stray"], environment: ["STATECAST_TIMING_ALIVE": "x"], file: file)
        == """
        stray: a word too many; options begin with --, see statecastd --help
        statecastd.conf:2: "x" is no size; write it like 65536, 256 KiB or 16 MiB
        statecastd.conf:3: 0 is not from 1 to 65536
        statecastd.conf:5: unknown section [limit]; did you mean [limits]?
        STATECAST_TIMING_ALIVE: "x" is no duration; write it like 250 ms, 10 s, 5 min or 1 h
        --mode: "x" is none of journal, memory
        """)
  }

  @Test(
    "tells what is wrong with flags",
    arguments: [
      (["--mod", "memory"], "--mod: unknown option; did you mean --mode?"),
      (["--limit-frame=1 MiB"], "--limit-frame: unknown option; did you mean --limits-frame?"),
      (["-x"], "-x: unknown option; see statecastd --help"),
      (["--quite-unlike-any"], "--quite-unlike-any: unknown option; see statecastd --help"),
      (["--mode"], "--mode: the value is missing"),
      (["--mode", "--folder", "/x"], "--mode: the value is missing"),
      (["--config"], "--config: the value is missing"),
      (["start"], "start: a word too many; options begin with --, see statecastd --help"),
      (
        ["--journal-accept-loss=perhaps"],
        "--journal-accept-loss: \"perhaps\" is neither yes nor no"
      ),
    ])
  func flagFaults(arguments: [String], expected: String) { #expect(faults(arguments) == expected) }

  @Test("takes the operator's word as a flag alone")
  func acceptLoss() throws {
    #expect(try configuration(["--journal-accept-loss"]).journal.acceptLoss)
    #expect(try configuration(["--journal-accept-loss", "--mode", "journal"]).journal.acceptLoss)
    #expect(try !configuration(["--journal-accept-loss=no"]).journal.acceptLoss)
  }

  @Test("notes a variable that looks like a slip, and leaves others' alone")
  func variables() throws {
    let request = try load(environment: [
      "STATECAST_LIMIT_FRAME": "1", "STATECAST_REQUIRE_DATA": "1", "STATECAST_CONFIGS": "x",
      "OTHER": "1",
    ])
    #expect(
      request
        == .serve(
          Configuration(),
          notes: [
            "STATECAST_CONFIGS in the environment means nothing; did you mean STATECAST_CONFIG?",
            "STATECAST_LIMIT_FRAME in the environment means nothing; did you mean STATECAST_LIMITS_FRAME?",
          ]))
  }

  @Test("reads lists of users, with commas or spaces")
  func users() throws {
    #expect(
      try configuration(["--allowed-uids", "1000,1001 1002"]).allowedUIDs == [1000, 1001, 1002])
    #expect(try configuration(["--allowed-uids", ""]).allowedUIDs == [])
  }
}
