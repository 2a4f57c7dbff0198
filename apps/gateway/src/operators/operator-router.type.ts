import type { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { RowsRouter } from '@rubrica/wiring';

/** Type for dashboards' clients: `createTRPCClient<OperatorRouter>`. */
export type OperatorRouter = RowsRouter<typeof operatorProcedures>;
