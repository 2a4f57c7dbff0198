import { availableParallelism } from 'node:os';

/** Passwords hashed at once: two per core, because one thread waits for memory while the other computes. */
const hashThreads = 2 * availableParallelism();
/** Threads left to files, host names and other cryptography, which share the pool. */
const otherThreads = 2;

/** A size set in the environment has precedence. */
// biome-ignore lint/style/noProcessEnv: written for libuv, which reads nothing else; no setting of ours is read here
process.env.UV_THREADPOOL_SIZE ??= String(hashThreads + otherThreads);

/** Threads that hashes may use, so that the others stay free. */
// biome-ignore lint/style/noProcessEnv: the size that libuv has read
const threadsForHashes = Number(process.env.UV_THREADPOOL_SIZE) - otherThreads;
export const maxConcurrentHashes = Math.max(1, Math.min(hashThreads, threadsForHashes));
