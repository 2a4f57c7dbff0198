export { type Child, type ChildExit, endLeftover, type SpawnOptions, spawnChild } from './child.ts';
export { identifyProcess, isRunning, type ProcessIdentity } from './identity.ts';
export { MissingPiece } from './missing-piece.ts';
export { freePort, freePorts, loopback } from './ports.ts';
export { type ProcessorTime, readProcessorTime } from './processor-time.ts';
export { shiftedClock } from './shifted-clock.ts';
