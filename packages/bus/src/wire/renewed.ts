/**
 * The map, or a new one where it is empty. V8 links each table that a map has outgrown, or shrunk out of, to the next.
 * Once one of them is old, whatever the map held since stays in memory until the next full collection: for calls that
 * come in bursts it was a sixth of a server's time.
 */
export function renewed<Key, Value>(map: Map<Key, Value>): Map<Key, Value> {
  return map.size === 0 ? new Map() : map;
}
