import type { OperatorOutput } from '../../client/trpc.ts';
import { TextField } from '../../parts/field.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { partnerTexts } from './partner-texts.ts';
import styles from './partners.module.css';
import { formatQuotaField, quotaTypes, toQuotaFields } from './quota-form.ts';

interface QuotaFieldsProps {
  readonly partner?: OperatorOutput<'partners.get'> | undefined;
}

/** Renders the number of requests that the partner may register: per month, or over the days of a package. */
export function QuotaFields({ partner }: QuotaFieldsProps) {
  const t = useTexts(partnerTexts);
  const getLabel = useLabels();
  return quotaTypes.map((type) => {
    const { limit, from, until } = toQuotaFields(partner?.quota, type);
    return (
      <fieldset key={type} className={styles.quota}>
        <legend>{`${t.quota}: ${getLabel(type).text}`}</legend>
        <TextField
          label={t.quotaLimit}
          name={formatQuotaField(type, 'limit')}
          type="number"
          min={0}
          defaultValue={limit}
        />
        <TextField
          label={t.quotaFrom}
          name={formatQuotaField(type, 'from')}
          type="date"
          defaultValue={from}
        />
        <TextField
          label={t.quotaUntil}
          name={formatQuotaField(type, 'until')}
          type="date"
          defaultValue={until}
        />
      </fieldset>
    );
  });
}
