export type { Copies } from './setup/services.ts';
export { loadStackSeed, type Seed } from './setup/settings.ts';
export type { StackOptions, StackProgress } from './stack/options.ts';
export type { ServiceHandle } from './stack/service-handle.ts';
export type { StackInfo } from './stack/stack-info.ts';
export { type ServerHandle, type Stack, startStack } from './stack/start-stack.ts';
