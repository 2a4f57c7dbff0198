import type { Bus } from '@rubrica/bus';
import type { Message, MessageSubject } from '@rubrica/contracts/messages/messages';
import type { Logger } from '@rubrica/process/log';

type Signal = Message<'events.review.changed'>;

/**
 * Signals to the pages of operators that they should reload. A signal may be lost: they reload now and then
 * in any case.
 */
export interface ReviewSignals {
  /**
   * Sends a signal after the commit. It never throws and waits for nothing, because the change has already
   * happened.
   */
  tell(signal: Signal): void;
}

export interface ReviewSignalDeps {
  readonly reviewSignals: ReviewSignals;
}

const subject: MessageSubject = 'events.review.changed';

/**
 * Creates the signals without the outbox: a row and an acknowledgement for each would cost more than they
 * save a page.
 */
export function createReviewSignals({
  streams,
  logger,
}: {
  readonly streams: Pick<Bus, 'nc'>;
  readonly logger: Pick<Logger, 'warn'>;
}): ReviewSignals {
  return {
    tell(signal) {
      try {
        streams.nc.publish(subject, JSON.stringify(signal));
      } catch (err) {
        logger.warn({ err }, 'operators not notified of a review');
      }
    },
  };
}
