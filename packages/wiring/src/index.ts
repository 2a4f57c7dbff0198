export { streamsConnection } from './bus-connections.ts';
export type { CallContext as CallInHand, OperatorUseCase, UseCase } from './calls/handlers.ts';
export { type Implementation, implement, type ServiceRouters as Implemented } from './calls/implement.ts';
export {
  type AskForOperator,
  createOperatorCalls,
  type OperatorCallsOptions,
} from './calls/operator-calls.ts';
export { createPeers, type PeerOptions, type Peers } from './calls/peers.ts';
export type { OnWhoseBehalf, Prove } from './calls/prove.ts';
export type { ReadingOfApplicants } from './calls/reads-of-applicants.ts';
export type {
  OperatorRowsRouter as OperatorRouterOf,
  RowsRouter as RouterOf,
  ServiceRowsRouter as ServiceRouterOf,
} from './calls/router-type.ts';
export { type Consumption, consumeMessages, type MessageOutcome as Handled } from './consume-messages.ts';
export { signMessage } from './message-statement.ts';
export { openBus, openStreams } from './open-bus.ts';
export { type ServedRouters, serveRouters } from './serve-routers.ts';
