export type LruCache<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  readonly size: number;
};

export type LruCacheOptions = {
  /** Number of entries at which the least recently used one goes. */
  max: number;
  /** Entries older than this are not handed out; without it they live until pushed out. */
  ttlMs?: number;
  nowMs?: () => number;
};

/** A bounded cache: nothing that a caller chooses (a token, an id) may grow a process without end. */
export function createLruCache<Key, Value>({
  max,
  ttlMs = Number.POSITIVE_INFINITY,
  nowMs = Date.now,
}: LruCacheOptions): LruCache<Key, Value> {
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
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    delete(key) {
      entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}
