/** German labels: the formal “Sie”, and the words of German invoices. */
import type { Translation } from './en.ts';

export const de: Translation = {
  pages: {
    bridge: {
      waiting: 'Warten auf das Ergebnis …',
      demo: 'Demodaten: Nichts davon ist echt.',
      failed: 'Der Aufruf ist fehlgeschlagen.',
      cancelled: 'Der Aufruf wurde abgebrochen.',
      refused_page: 'Die Chat-Anwendung hat diese Seite abgelehnt: {reason}',
    },
    decision: {
      decision: 'Ihre Entscheidung',
      approve: 'Zustimmen',
      decline: 'Ablehnen',
      sending: 'Wird gesendet …',
      change: 'Eine Änderung',
      not_changed_yet: 'noch nicht geändert',
      decide_until: 'Sie können bis {time} entscheiden. Vor Ihrer Zustimmung ändert sich nichts.',
      ten_minutes: 'zehn Minuten nach der Frage',
      declined: 'Abgelehnt',
      nothing_changed: 'nichts wurde geändert',
      you_declined: 'Sie haben diese Änderung abgelehnt. Der Assistent erfährt, dass nichts geändert wurde.',
      would_change: 'Das würde sich ändern',
      dry_run: 'Probelauf: nichts wurde geändert',
      nothing_to_change: 'Nichts zu ändern',
      nothing_sent: 'nichts wurde gesendet',
      not_applied: 'Nicht übernommen: {fields}',
      the_change: 'Die Änderung',
      way_back: 'Rückweg',
      not_shown: 'Vom Dienst nicht angezeigt: {fields}',
      confirmed_by: 'Bestätigt durch {who}.',
      confirmed_person: 'eine Person, die von der Chat-Anwendung gefragt wurde',
      confirmed_page: 'die Schaltfläche auf dieser Seite',
      confirmed_host: 'die Chat-Anwendung',
      confirmed_token: 'ein Token, das der Assistent zurückgesendet hat',
      confirmed_policy: 'die Einstellungen dieses Servers, ohne Rückfrage',
      back_unknown: 'Nicht bekannt: Der Datensatz wurde vor der Änderung nicht gelesen.',
      back_impossible: 'Die Änderung lässt sich nicht zurücknehmen: {reason}.',
      back_possible: 'Die Änderung lässt sich zurücknehmen: Bitten Sie den Assistenten darum.',
    },
  },
};
