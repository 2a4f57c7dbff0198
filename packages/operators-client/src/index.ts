export * from './api.ts';
export {
  createOperatorsClient,
  type OperatorsClient,
  type OperatorsClientOptions,
} from './create-operators-client.ts';
export { faultOf, type OperatorFault } from './fault.ts';
export type { OperatorErrorData, OperatorInput, OperatorOutput, OperatorRouter } from './router.ts';
export type { Session } from './session.ts';
