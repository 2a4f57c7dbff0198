export { streamsConnection } from './bus-connections.ts';
export type { CallContext, OperatorUseCase, UseCase } from './calls/handlers.ts';
export { type Implementation, implement, type ServiceRouters } from './calls/implement.ts';
export {
  type AskForOperator,
  createOperatorCalls,
  type OperatorCallsOptions,
} from './calls/operator-calls.ts';
export { createPeers, type PeerOptions, type Peers } from './calls/peers.ts';
export type { OnWhoseBehalf, Prove } from './calls/prove.ts';
export type {
  OperatorRowsRouter,
  RowsRouter,
  ServiceRowsRouter,
} from './calls/router-type.ts';
export { type Consumption, consumeMessages, type MessageOutcome } from './consume-messages.ts';
export { signMessage } from './message-statement.ts';
export { openBus, openStreams } from './open-bus.ts';
export { type ServedRouters, serveRouters } from './serve-routers.ts';
