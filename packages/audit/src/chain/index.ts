export { startAuditChain } from './start-audit-chain.ts';
