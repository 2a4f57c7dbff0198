import { auditRouter } from '@rubrica/wiring/audit';
import { resendApplicantMessageProcedure } from './applicant-messages/resend-applicant-message.procedure.ts';
import { searchApplicantMessagesProcedure } from './applicant-messages/search-applicant-messages.procedure.ts';
import { router } from './context.ts';
import { getDeliveryProcedure } from './deliveries/get-delivery.procedure.ts';
import { recoverDeliveriesProcedure } from './deliveries/recover-deliveries.procedure.ts';
import { resendDeliveryProcedure } from './deliveries/resend-delivery.procedure.ts';
import { searchDeliveriesProcedure } from './deliveries/search-deliveries.procedure.ts';
import { enableDestinationProcedure } from './destinations/enable-destination.procedure.ts';
import { pingDestinationProcedure } from './destinations/ping-destination.procedure.ts';
import { searchDestinationsProcedure } from './destinations/search-destinations.procedure.ts';
import { deliveryHoldingProcedure, retainDeliveriesProcedure } from './retention/retention.procedures.ts';
import { auditLog } from './store/audit-log.ts';

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
    search: searchApplicantMessagesProcedure,
    resend: resendApplicantMessageProcedure,
  }),
  audit: auditRouter(auditLog),
});
