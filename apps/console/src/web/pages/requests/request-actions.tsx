import { Link } from '@tanstack/react-router';
import { usePermission } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { useTexts } from '../../texts/texts.ts';
import { requestTexts } from './request-texts.ts';

const ended = ['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'];

/** Offers the actions on a request in its current state; an unavailable button states the reason. */
export function RequestActions({ request }: { readonly request: OperatorOutput<'requests.get'> }) {
  const t = useTexts(requestTexts);
  const may = usePermission();
  const { requestId, status, validationStatus } = request;
  const toInput = () => ({ requestId });
  return (
    <>
      {validationStatus === 'MANUALLY_VALIDATING' && may('reviews.get') && (
        <Link to={`/review/${requestId}`}>{t.review}</Link>
      )}
      <Action
        procedure="requests.rerun"
        label={t.rerun}
        text={t.rerunText}
        unavailable={status === 'ERROR' ? undefined : t.rerunNot}
        toInput={toInput}
        done={() => t.rerunDone}
      />
      <Action
        procedure="requests.cancel"
        label={t.cancel}
        text={t.cancelText}
        tone="danger"
        unavailable={ended.includes(status) ? t.cancelNot : undefined}
        toInput={toInput}
        done={() => t.cancelDone}
      />
    </>
  );
}

/** Offers the actions on the stored data of a request. */
export function RetentionActions(props: { readonly requestId: string; readonly isHeld: boolean }) {
  const t = useTexts(requestTexts);
  const { requestId, isHeld } = props;
  // The dialog asks for the reason, which is part of the call.
  const toInput = (form: FormData) => ({ requestId, reason: String(form.get('reason')) });
  return (
    <>
      {isHeld ? (
        <Action
          procedure="requests.releaseLegalHold"
          label={t.release}
          text={t.releaseText}
          small
          reason="required"
          toInput={toInput}
          done={() => t.releaseDone}
        />
      ) : (
        <Action
          procedure="requests.legalHold"
          label={t.hold}
          text={t.holdText}
          small
          reason="required"
          toInput={toInput}
          done={() => t.holdDone}
        />
      )}
      <Action
        procedure="requests.erase"
        label={t.erase}
        text={t.eraseText}
        tone="danger"
        small
        reason="required"
        unavailable={isHeld ? t.eraseHeld : undefined}
        toInput={toInput}
        done={({ requests: [first] }) =>
          first?.refused === 'NOT_ENDED'
            ? t.eraseNotEnded
            : first?.refused === 'LEGAL_HOLD'
              ? t.eraseHeld
              : t.eraseDone
        }
      />
    </>
  );
}
