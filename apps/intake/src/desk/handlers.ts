import type { WingHandlers } from '../base/wing-handlers.ts';
import type { DeskDeps } from './deps.ts';
import { createOverview } from './overview/overview.ts';
import { createPartnersUsage, createRequestsUsage } from './reports/partner-usage.ts';
import { createReportServiceLevels } from './reports/report-service-levels.ts';
import { createReportUsage } from './reports/report-usage.ts';
import { createApproveReview } from './review/approve-review.ts';
import { createAssignReview } from './review/assign-review.ts';
import { createGetReview } from './review/get-review.ts';
import { createLinkEvidence } from './review/link-evidence.ts';
import { createOpenEvidenceLink } from './review/open-evidence-link.ts';
import { createLeaveReview, createOpenReview } from './review/presence.ts';
import { createRejectReview, createRequestCorrection } from './review/refuse-review.ts';
import { createReviewQueue } from './review/review-queue.ts';
import { withReviewSignal } from './review/telling.ts';
import { createCancelByOperator, createRerunRequest } from './search/change-request.ts';
import { createGetRequest } from './search/get-request.ts';
import { createRequestTimeline } from './search/read-timeline.ts';
import { createSearchRequests } from './search/search-requests.ts';

/** Creates the handlers of calls by which operators search, report and review. */
export function createDeskHandlers(deps: DeskDeps) {
  return {
    calls: {
      'requests.usage': createRequestsUsage(deps),
      'reviews.openEvidence': createOpenEvidenceLink(deps),
    },
    operators: {
      'requests.search': createSearchRequests(deps),
      'requests.get': createGetRequest(deps),
      'requests.timeline': createRequestTimeline(deps),
      'requests.rerun': createRerunRequest(deps),
      'requests.cancel': createCancelByOperator(deps),
      'reviews.queue': createReviewQueue(deps),
      'reviews.get': createGetReview(deps),
      'reviews.open': createOpenReview(deps),
      'reviews.leave': createLeaveReview(deps),
      'reviews.assign': withReviewSignal(deps, 'assigned', createAssignReview(deps)),
      'reviews.approve': withReviewSignal(deps, 'decided', createApproveReview(deps)),
      'reviews.reject': withReviewSignal(deps, 'decided', createRejectReview(deps)),
      'reviews.requestCorrection': withReviewSignal(deps, 'decided', createRequestCorrection(deps)),
      'reviews.evidence': createLinkEvidence(deps),
      overview: createOverview(deps),
      'reports.usage': createReportUsage(deps),
      'partners.usage': createPartnersUsage(deps),
      'reports.serviceLevels': createReportServiceLevels(deps),
    },
  } satisfies WingHandlers;
}
