import type { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { RouterOf } from '@rubrica/wiring';

/** What a dashboard builds its client from: `createTRPCClient<OperatorRouter>`. */
export type OperatorRouter = RouterOf<typeof operatorProcedures>;
