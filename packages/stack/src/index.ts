export { MissingPiece } from './processes/missing-piece.ts';
export { type Copies, parseCopies, type ServiceName, serviceNames } from './setup/services.ts';
export type { StackOptions, StackProgress } from './stack/options.ts';
export type { ServiceHandle } from './stack/service-handle.ts';
export type { PartnerInfo, StackInfo } from './stack/stack-info.ts';
export { type ServerHandle, type Stack, startStack } from './stack/start-stack.ts';
export { StartFailure } from './supervision/managed-process.ts';
export { AlreadyRunning } from './supervision/run-record.ts';
