import { correctionCodes, correctionFields } from '../../data/contracts.data.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { useFieldNames } from '../../texts/field-names.ts';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';
import type { Case } from './case.ts';
import { formatChoiceName } from './correction.ts';

const texts = createBilingual({
  en: { legend: 'What is wrong with each', fine: 'In order' },
  es: { legend: 'Qué está mal en cada uno', fine: 'En orden' },
});

/** Renders a choice for each document and field of this request that can be corrected. */
export function CorrectionFields({ found }: { readonly found: Case }) {
  const t = useTexts(texts);
  const getLabel = useLabels();
  const fieldName = useFieldNames();
  const sent = new Set([
    ...Object.keys(found.applicant?.details ?? {}),
    ...(found.evidence ?? []).map(({ field }) => field ?? 'evidences'),
  ]);
  const choices = correctionCodes.map((code) => ({ value: code, label: getLabel(code).text }));
  return (
    <fieldset className={styles.codes}>
      <legend>{t.legend}</legend>
      {correctionFields
        .filter((field) => sent.has(field))
        .map((field) => (
          <ChoiceField
            key={field}
            label={fieldName(field)}
            name={formatChoiceName(field)}
            choices={choices}
            empty={t.fine}
          />
        ))}
    </fieldset>
  );
}
