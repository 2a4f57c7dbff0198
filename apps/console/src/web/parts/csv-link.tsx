import { createBilingual, useTexts } from '../texts/texts.ts';
import { useAddress } from './address.ts';

const texts = createBilingual({
  en: { csv: 'As CSV' },
  es: { csv: 'Como CSV' },
});

/** Links to all pages of a report with the filters of the address, as CSV. */
export function CsvLink({ file }: { readonly file: string }) {
  const t = useTexts(texts);
  const [{ cursor: _, ...filters }] = useAddress();
  const query = new URLSearchParams(filters as Record<string, string>).toString();
  return (
    <a href={`/reports/${file}.csv${query === '' ? '' : `?${query}`}`} download>
      {t.csv}
    </a>
  );
}
