export type LruCache<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  readonly size: number;
};

export type LruCacheOptions<Value> = {
  /** Number of entries at which the least recently used one goes. */
  max: number;
  /** Entries older than this are not handed out; without it they live until pushed out. */
  ttlMs?: number;
  nowMs?: () => number;
  /** What went because the cache is full: for values that own something. */
  onPushedOut?: (value: Value) => void;
};

/** A bounded cache: nothing that a caller chooses (a token, an id) may grow a process without end. */
export function createLruCache<Key, Value>({
  max,
  ttlMs = Number.POSITIVE_INFINITY,
  nowMs = Date.now,
  onPushedOut,
}: LruCacheOptions<Value>): LruCache<Key, Value> {
  // A Map keeps insertion order: re-inserting on a hit makes its first key the least recently used one.
  const entries = new Map<Key, { value: Value; expiresAtMs: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (entry.expiresAtMs <= nowMs()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, expiresAtMs: nowMs() + ttlMs });
      if (entries.size <= max) return;
      const oldest = entries.entries().next();
      if (oldest.done) return;
      const [oldestKey, { value: pushedOut }] = oldest.value;
      entries.delete(oldestKey);
      onPushedOut?.(pushedOut);
    },
    delete(key) {
      entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}
