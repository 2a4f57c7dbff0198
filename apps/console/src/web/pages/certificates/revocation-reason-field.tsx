import { revocationReasons } from '../../data/inputs.data.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { useLabelTexts } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { certificateTexts } from './certificate-texts.ts';

/** Renders the choice of the reason in CRL and OCSP. */
export function RevocationReasonField() {
  const t = useTexts(certificateTexts);
  const getLabelText = useLabelTexts();
  const choices = revocationReasons.map((value) => ({ value, label: getLabelText(value) }));
  return (
    <ChoiceField
      label={t.revocationReason}
      hint={t.revocationHint}
      name="revocationReason"
      choices={choices}
    />
  );
}
