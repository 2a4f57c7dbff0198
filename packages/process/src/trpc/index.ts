export {
  type BaseContext,
  createCallContext,
  type Identify,
  type IncomingCall,
  outgoingHeaders,
} from './call-context.ts';
export { type CallMetrics, createCallMetrics } from './call-metrics.ts';
export { describeIssue, describeType } from './describe-issue.ts';
export type { ServiceErrorData, ServiceErrorShape } from './error-shape.ts';
export { invalidInput } from './from-trpc-error.ts';
export {
  assertOperator,
  assertPartner,
  assertService,
  type OperatorCaller,
  type PartnerCaller,
  type ServiceCaller,
} from './guards.ts';
export { createServiceTrpc } from './service-trpc.ts';
