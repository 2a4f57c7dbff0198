import type { OperatorOutput, ProcedureInput } from '../../client/trpc.ts';
import { holdWarning } from '../../data/inputs.data.ts';
import { Action } from '../../parts/action.tsx';
import { Notice } from '../../parts/query-result.tsx';
import { usePreferences } from '../../texts/preferences.tsx';
import { useTexts } from '../../texts/texts.ts';
import { certificateTexts } from './certificate-texts.ts';
import { getCommonName } from './common-name.ts';
import { RevocationReasonField } from './revocation-reason-field.tsx';

type Certificate = OperatorOutput<'certificates.get'>;
type Reason = NonNullable<ProcedureInput<'certificates.revoke'>['revocationReason']>;

/** Offers revoke, hold and release; an unavailable button states the reason. */
export function CertificateActions({ certificate }: { readonly certificate: Certificate }) {
  const t = useTexts(certificateTexts);
  const { language } = usePreferences();
  const { id, status, revocationReason, subject, holdNotice } = certificate;
  const isOnHold = revocationReason === 'certificateHold';
  const endedReason =
    status === 'EXPIRED' ? t.expired : status === 'REVOKED' && !isOnHold ? t.isRevoked : undefined;
  const name = getCommonName(subject);
  return (
    <>
      {isOnHold ? (
        <Action
          procedure="certificates.release"
          label={t.release}
          text={t.releaseText(name)}
          toInput={() => ({ id })}
          done={() => t.released}
        />
      ) : (
        <Action
          procedure="certificates.hold"
          label={t.hold}
          text={t.holdText(name)}
          unavailable={endedReason ?? (holdNotice === null ? t.holdNot : undefined)}
          reason="required"
          toInput={() => ({ id })}
          done={() => t.onHold}
        >
          <Notice tone="warn">{(holdNotice ?? holdWarning)[language]}</Notice>
        </Action>
      )}
      <Action
        procedure="certificates.revoke"
        label={t.revoke}
        text={t.revokeText(name)}
        tone="danger"
        unavailable={endedReason}
        reason="required"
        toInput={(form) => ({ id, revocationReason: form.get('revocationReason') as Reason })}
        done={() => t.wasRevoked}
      >
        <RevocationReasonField />
      </Action>
    </>
  );
}
