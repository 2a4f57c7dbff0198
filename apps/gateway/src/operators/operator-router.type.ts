import type { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { RouterOf } from '@rubrica/wiring';

/** Type for dashboards' clients: `createTRPCClient<OperatorRouter>`. */
export type OperatorRouter = RouterOf<typeof operatorProcedures>;
