import type { Bus } from '@rubrica/bus';
import type { Message, MessageSubject } from '@rubrica/contracts/messages/messages';
import type { Logger } from '@rubrica/process';

type Signal = Message<'events.review.changed'>;

/** Tells the pages of operators that they should look again. A signal may be lost: they look now and then in any case. */
export interface ReviewSignals {
  /** After the commit. Never throws and waits for nothing: what it is about has happened. */
  tell(signal: Signal): void;
}

export interface ReviewSignalDeps {
  readonly reviewSignals: ReviewSignals;
}

const subject: MessageSubject = 'events.review.changed';

/** Without the outbox: a row and an acknowledgement for each would cost more than what they save a page. */
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
        logger.warn({ err }, 'operators are not told of a review');
      }
    },
  };
}
