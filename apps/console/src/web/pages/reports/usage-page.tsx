import { Link } from '@tanstack/react-router';
import { CsvLink } from '../../parts/csv-link.tsx';
import { SearchPage } from '../../parts/search-page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { MonthsPlot } from './months-plot.tsx';
import { OutcomePlot } from './outcome-plot.tsx';
import { useUsageColumns } from './report-columns.tsx';
import { reportTexts } from './report-texts.ts';
import { useReportFilters } from './use-report-filters.ts';

export default function UsagePage() {
  const t = useTexts(reportTexts);
  return (
    <SearchPage
      title={t.usage}
      about={t.usageAbout}
      procedure="reports.usage"
      actions={
        <>
          <CsvLink file="usage" />
          <Link to="/service-levels">{t.levels}</Link>
        </>
      }
      filters={useReportFilters()}
      columns={useUsageColumns()}
      rowId={({ partnerId }) => partnerId}
      plot={(rows, { partnerId }) => (
        <>
          <OutcomePlot rows={rows} />
          {partnerId !== undefined && <MonthsPlot partnerId={partnerId} />}
        </>
      )}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}
