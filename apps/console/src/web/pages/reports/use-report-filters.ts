import type { Filter } from '../../parts/filters.tsx';
import { usePartnerNames } from '../../parts/partner-names.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { useTexts } from '../../texts/texts.ts';
import { reportTexts } from './report-texts.ts';

const monthsOffered = 24;

/** Lists the given number of months up to the current one, newest first. */
export function useMonths(count: number) {
  const { language, timeZone } = usePreferences();
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now());
  return Array.from({ length: count }, (_, index) => {
    const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
    first.setUTCMonth(first.getUTCMonth() - index);
    return { value: first.toISOString().slice(0, 7), label: name.format(first) };
  });
}

/** Returns the filters for month, newest first, and partner. */
export function useReportFilters(): readonly Filter[] {
  const t = useTexts(reportTexts);
  const { choices } = usePartnerNames();
  return [
    { name: 'month', label: t.month, choices: useMonths(monthsOffered), empty: t.thisMonth },
    { name: 'partnerId', label: t.partner, choices },
  ];
}
