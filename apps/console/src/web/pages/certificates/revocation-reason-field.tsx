import { revocationReasons } from '../../data/inputs.data.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { useWordOf } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { certificateTexts } from './certificate-texts.ts';

/** What CRL and OCSP will say. */
export function RevocationReasonField() {
  const t = useTexts(certificateTexts);
  const wordOf = useWordOf();
  const choices = revocationReasons.map((value) => ({ value, label: wordOf(value) }));
  return (
    <ChoiceField
      label={t.revocationReason}
      hint={t.revocationHint}
      name="revocationReason"
      choices={choices}
    />
  );
}
