import { createAuditUseCases } from '@rubrica/audit/procedures';
import { implement, type ServiceRouters } from '@rubrica/wiring';
import { translateDatabaseFault } from '@rubrica/wiring/database';
import { createResendApplicantMessage } from './applicant-messages/resend-applicant-message.ts';
import { createSearchApplicantMessages } from './applicant-messages/search-applicant-messages.ts';
import type { NotifierDeps } from './context.ts';
import { createDeliveryLevels } from './deliveries/levels/delivery-levels.ts';
import { createGetDelivery } from './deliveries/operators/get-delivery.ts';
import { createRecoverDeliveries } from './deliveries/operators/recover-deliveries.ts';
import { createResendDelivery } from './deliveries/operators/resend-delivery.ts';
import { createSearchDeliveries } from './deliveries/operators/search-deliveries.ts';
import { createEnableDestination } from './destinations/enable-destination.ts';
import { createPingDestination } from './destinations/ping-destination.ts';
import { createSearchDestinations } from './destinations/search-destinations.ts';
import { createReadDocument } from './dialer/read-document.ts';
import { createListEvents } from './partner-events/list-events.ts';
import { createReadEvent } from './partner-events/read-event.ts';
import { createRecoverEvents } from './partner-events/recover-events.ts';
import { createResendEvent } from './partner-events/resend-event.ts';
import { createSendTestEvent } from './partner-events/send-test-event.ts';
import { createDeliveriesHolding } from './retention/deliveries-holding.ts';
import { createRetainDeliveries } from './retention/retain-deliveries.ts';
import { auditLog } from './store/audit-log.ts';

/** Connects each row of the calls tables of this service to its use case. */
export function createRouters(deps: NotifierDeps): ServiceRouters {
  return implement('notifier', {
    calls: {
      'deliveries.retain': createRetainDeliveries(deps),
      'deliveries.holding': createDeliveriesHolding(deps),
      'deliveries.levels': createDeliveryLevels(deps),
      'events.list': createListEvents(deps),
      'events.read': createReadEvent(deps),
      'events.resend': createResendEvent(deps),
      'events.recover': createRecoverEvents(deps),
      'events.test': createSendTestEvent(deps),
      'documents.read': createReadDocument(deps),
    },
    operators: {
      'deliveries.search': createSearchDeliveries(deps),
      'deliveries.get': createGetDelivery(deps),
      'deliveries.resend': createResendDelivery(deps),
      'deliveries.recover': createRecoverDeliveries(deps),
      'deliveries.ping': createPingDestination(deps),
      'deliveries.destinations': createSearchDestinations(deps),
      'deliveries.enableDestination': createEnableDestination(deps),
      'messages.search': createSearchApplicantMessages(deps),
      'messages.resend': createResendApplicantMessage(deps),
      ...createAuditUseCases(auditLog, deps),
    },
    translate: translateDatabaseFault,
  });
}
