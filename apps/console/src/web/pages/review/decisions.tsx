import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../client/session.tsx';
import { callProcedure } from '../../client/trpc.ts';
import { correctionCodes, rejectionCodes } from '../../data/contracts.data.ts';
import { Action } from '../../parts/action.tsx';
import { CheckField, TextArea } from '../../parts/field.tsx';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';
import type { Case } from './case.ts';
import { readCorrections } from './correction.ts';
import { CorrectionFields } from './correction-fields.tsx';

const texts = createBilingual({
  en: {
    take: 'Take',
    taken: 'You have taken this case',
    takenAlready: 'You have taken this case already',
    approve: 'Approve',
    approveText: 'The request goes on to its certificate.',
    approveFirst: 'A second reviewer must also approve this request.',
    approved: 'Approved',
    approvedFirst: 'Approved; another reviewer has to approve too',
    approvedAlready: 'You approved this already: another reviewer has to',
    notWaiting: 'This request does not wait for a review',
    reject: 'Reject',
    rejectText: 'Final: the request is refused, and the partner is told why.',
    rejectCodes: 'What is at fault',
    rejected: 'Rejected',
    correct: 'Ask for correction',
    correctText: 'The partner is told what to send anew; then the request comes back.',
    corrected: 'A correction was asked for',
    comment: 'Comment for colleagues',
    commentHint: 'Goes to the audit log and the timeline. No personal data.',
  },
  es: {
    take: 'Tomar',
    taken: 'Usted tomó este caso',
    takenAlready: 'Usted ya tiene este caso',
    approve: 'Aprobar',
    approveText: 'La solicitud sigue hacia su certificado.',
    approveFirst: 'Un segundo revisor también debe aprobar esta solicitud.',
    approved: 'Aprobada',
    approvedFirst: 'Aprobada; falta la aprobación de otro revisor',
    approvedAlready: 'Usted ya la aprobó: debe hacerlo otro revisor',
    notWaiting: 'Esta solicitud no espera revisión',
    reject: 'Rechazar',
    rejectText: 'Definitivo: la solicitud se rechaza y se le dice al tercero por qué.',
    rejectCodes: 'Qué está mal',
    rejected: 'Rechazada',
    correct: 'Pedir corrección',
    correctText: 'Se le dice al tercero qué enviar de nuevo; luego la solicitud vuelve.',
    corrected: 'Se pidió una corrección',
    comment: 'Comentario para colegas',
    commentHint: 'Queda en el registro de auditoría y en la historia. Sin datos personales.',
  },
});

/** Offers the decisions on a case. An unavailable decision stays visible with its reason. */
export function Decisions({
  found,
  shownSha256,
}: {
  readonly found: Case;
  /** Digest of the state that the reviewer has seen, which may be older than `found`. */
  readonly shownSha256: string | null;
}) {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const navigate = useNavigate();
  const { email } = useSession();
  const { requestId } = found;
  const input = { requestId, ...(shownSha256 !== null && { shownSha256 }) };
  const isWaiting = found.validationStatus === 'MANUALLY_VALIDATING';
  const unavailable = isWaiting ? undefined : t.notWaiting;
  const isApprovedByMe = found.approvalLog.some(({ operator, counts }) => counts && operator === email);
  const backToQueue = () => void navigate({ to: '/review' });
  const comment = <TextArea label={t.comment} hint={t.commentHint} name="comment" maxLength={500} />;
  const readComment = (form: FormData) => {
    const text = String(form.get('comment') ?? '').trim();
    return text === '' ? {} : { comment: text };
  };
  return (
    <>
      <Action
        procedure="reviews.assign"
        label={t.take}
        keys="t"
        unavailable={unavailable ?? (found.assignedTo === email ? t.takenAlready : undefined)}
        reason="none"
        toInput={() => ({ requestId })}
        done={() => t.taken}
        undo={() => () => callProcedure('reviews.assign', { requestId, operatorEmail: found.assignedTo })}
      />
      <Action
        procedure="reviews.reject"
        label={t.reject}
        keys="x"
        text={t.rejectText}
        tone="danger"
        unavailable={unavailable}
        reason="none"
        toInput={(form) => ({
          ...input,
          codes: rejectionCodes.filter((code) => form.getAll('codes').includes(code)),
          ...readComment(form),
        })}
        done={() => t.rejected}
        onDone={backToQueue}
      >
        <fieldset className={styles.codes}>
          <legend>{t.rejectCodes}</legend>
          {rejectionCodes.map((code) => (
            <CheckField key={code} label={getLabel(code).text} name="codes" value={code} />
          ))}
        </fieldset>
        {comment}
      </Action>
      <Action
        procedure="reviews.requestCorrection"
        label={t.correct}
        keys="c"
        text={t.correctText}
        unavailable={unavailable}
        reason="none"
        toInput={(form) => ({ ...input, ...readCorrections(form, correctionCodes), ...readComment(form) })}
        done={() => t.corrected}
        onDone={backToQueue}
      >
        <CorrectionFields found={found} />
        {comment}
      </Action>
      <Action
        procedure="reviews.approve"
        label={t.approve}
        keys="a"
        text={found.approvals + 1 < found.approvalsNeeded ? t.approveFirst : t.approveText}
        tone="primary"
        unavailable={unavailable ?? (isApprovedByMe ? t.approvedAlready : undefined)}
        reason="none"
        toInput={(form) => ({ ...input, ...readComment(form) })}
        done={({ approvals, approvalsNeeded }) =>
          approvals < approvalsNeeded ? t.approvedFirst : t.approved
        }
        onDone={({ approvals, approvalsNeeded }) => {
          if (approvals >= approvalsNeeded) backToQueue();
        }}
      >
        {comment}
      </Action>
    </>
  );
}
