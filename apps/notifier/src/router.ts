import { auditRouter } from '@rubrica/app/audit';
import { auditLog } from './audit/audit-log.ts';
import { router } from './context.ts';
import { getDeliveryProcedure } from './get-delivery/get-delivery.procedure.ts';
import { resendDeliveryProcedure } from './resend-delivery/resend-delivery.procedure.ts';
import { resendMessageProcedure } from './resend-message/resend-message.procedure.ts';
import { deliveryHoldingProcedure, retainDeliveriesProcedure } from './retention/retention.procedures.ts';
import { searchDeliveriesProcedure } from './search-deliveries/search-deliveries.procedure.ts';
import { searchMessagesProcedure } from './search-messages/search-messages.procedure.ts';

/** For intake, on what is kept and for how long. All else other services send as jobs. */
export const serviceRouter = router({
  deliveries: router({ retain: retainDeliveriesProcedure, holding: deliveryHoldingProcedure }),
});

/** For people, through the gateway. */
export const operatorRouter = router({
  deliveries: router({
    search: searchDeliveriesProcedure,
    get: getDeliveryProcedure,
    resend: resendDeliveryProcedure,
  }),
  messages: router({
    search: searchMessagesProcedure,
    resend: resendMessageProcedure,
  }),
  audit: auditRouter(auditLog),
});
