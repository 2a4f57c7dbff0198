import { auditRouter } from '@rubrica/wiring/audit';
import { auditLog } from './audit/audit-log.ts';
import { router } from './context.ts';
import { enableDestinationProcedure } from './enable-destination/enable-destination.procedure.ts';
import { getDeliveryProcedure } from './get-delivery/get-delivery.procedure.ts';
import { pingDestinationProcedure } from './ping-destination/ping-destination.procedure.ts';
import { recoverDeliveriesProcedure } from './recover-deliveries/recover-deliveries.procedure.ts';
import { resendDeliveryProcedure } from './resend-delivery/resend-delivery.procedure.ts';
import { resendMessageProcedure } from './resend-message/resend-message.procedure.ts';
import { deliveryHoldingProcedure, retainDeliveriesProcedure } from './retention/retention.procedures.ts';
import { searchDeliveriesProcedure } from './search-deliveries/search-deliveries.procedure.ts';
import { searchDestinationsProcedure } from './search-destinations/search-destinations.procedure.ts';
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
    recover: recoverDeliveriesProcedure,
    ping: pingDestinationProcedure,
    destinations: searchDestinationsProcedure,
    enableDestination: enableDestinationProcedure,
  }),
  messages: router({
    search: searchMessagesProcedure,
    resend: resendMessageProcedure,
  }),
  audit: auditRouter(auditLog),
});
