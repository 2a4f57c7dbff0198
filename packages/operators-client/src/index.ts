export * from './api.ts';
export {
  ChallengeRefused,
  digestApproval,
  type ShownChange,
  verifyApprovalChallenge,
  verifySignInChallenge,
} from './approval-challenge.ts';
export { type ApproveOptions, approveChange } from './approve-change.ts';
export { bindDecision } from './bind-decision.ts';
export {
  createOperatorsClient,
  type OperatorsClient,
  type OperatorsClientOptions,
} from './create-operators-client.ts';
export { type OperatorFault, readFault as faultOf } from './fault.ts';
export type { OperatorErrorData, OperatorInput, OperatorOutput, OperatorRouter } from './router.ts';
export type { Session } from './session.ts';
