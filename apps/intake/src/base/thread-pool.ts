import { availableParallelism } from 'node:os';

/** Passwords hashed at once: two for each core, as one thread waits for memory while the other computes. */
const hashThreads = 2 * availableParallelism();
/** Files, names of hosts and other cryptography wait for a thread of the same pool. */
const otherThreads = 2;

/** A size set from outside stands. */
// biome-ignore lint/style/noProcessEnv: written for libuv, which reads nothing else; no setting of ours is read here
process.env.UV_THREADPOOL_SIZE ??= String(hashThreads + otherThreads);

/** Hashes that leave threads of the pool to others. */
// biome-ignore lint/style/noProcessEnv: the size that libuv has read
const leftToHashes = Number(process.env.UV_THREADPOOL_SIZE) - otherThreads;
export const mostHashesAtOnce = Math.max(1, Math.min(hashThreads, leftToHashes));
