extension Configuration {
  /// What the host takes of it.
  package func hostSettings(_ places: Places) -> HostSettings {
    var settings = HostSettings(
      endpoints: places.endpoints,
      storage: mode == .memory
        ? .memory : .journal(folder: places.stateDirectory, options: journal))
    settings.limits = limits
    settings.timing = timing
    settings.allowedUIDs = allowedUIDs
    settings.publicationHighWater = Int32(clamping: publicationHighWater)
    return settings
  }
}
