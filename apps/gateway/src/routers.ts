/** The types that dashboards build their clients from; the only thing of this service that others import. */
export type { OperatorInput, OperatorOutput, OperatorPath } from '@rubrica/contracts/operators/procedures';
export type { OperatorRouter } from './operators/operator-router.type.ts';
