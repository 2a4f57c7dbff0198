/** Types for dashboards' clients; the only exports of this service for others. */
export type { OperatorInput, OperatorOutput, OperatorPath } from '@rubrica/contracts/operators/procedures';
export type { OperatorRouter } from './operators/operator-router.type.ts';
