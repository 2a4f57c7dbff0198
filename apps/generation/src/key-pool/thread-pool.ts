import { availableParallelism } from 'node:os';

/**
 * Key generation uses as many threads as there are cores. Two more keep signatures and key derivations from waiting
 * behind it, which would make a certificate wait for another's key. A size set from outside has precedence.
 */
// biome-ignore lint/style/noProcessEnv: written for libuv, which reads nothing else; no setting of ours is read here
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2));
