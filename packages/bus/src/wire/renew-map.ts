/**
 * Returns the map, or a new one if it is empty. V8 links each table that a map has outgrown, or shrunk out of, to the
 * next. Once one of them is old, everything that the map held since stays in memory until the next full collection. For
 * calls in bursts it took a sixth of a server's time.
 */
export function renewMap<Key, Value>(map: Map<Key, Value>): Map<Key, Value> {
  return map.size === 0 ? new Map() : map;
}
