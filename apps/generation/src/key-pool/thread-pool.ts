import { availableParallelism } from 'node:os';

/**
 * Keys are made by as many threads as there are cores. Two more keep signatures and key derivations from waiting
 * behind them: without those a certificate would wait for the key of another. A size set from outside stands.
 */
// biome-ignore lint/style/noProcessEnv: written for libuv, which reads nothing else; no setting of ours is read here
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2));
