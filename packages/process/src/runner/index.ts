export { type BuiltService, runService, type ServiceParts } from './run-service.ts';
export { createRunner, type Runner, type Stop } from './runner.ts';
