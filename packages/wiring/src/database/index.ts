export { openDatabase } from './open-database.ts';
export { type AuditChainOptions, startAuditChain } from './start-audit-chain.ts';
export { type OutboxOptions, startOutbox } from './start-outbox.ts';
export { translateDatabaseFault } from './unavailable.ts';
