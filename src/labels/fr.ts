/** French labels: the formal “vous”, and the words of French invoices. A narrow no-break space stands before : ; ! ?. */
import type { Translation } from './en.ts';

export const fr: Translation = {
  pages: {
    bridge: {
      waiting: 'En attente du résultat…',
      demo: 'Données de démonstration : rien ici n’est réel.',
      failed: 'L’appel a échoué.',
      cancelled: 'L’appel a été annulé.',
      refused_page: 'L’application de chat a refusé cette page : {reason}',
    },
    decision: {
      decision: 'Votre décision',
      approve: 'Approuver',
      decline: 'Refuser',
      sending: 'Envoi…',
      change: 'Une modification',
      not_changed_yet: 'pas encore modifié',
      decide_until: 'Vous pouvez décider jusqu’à {time}. Rien ne change avant votre accord.',
      ten_minutes: 'dix minutes après la question',
      declined: 'Refusé',
      nothing_changed: 'rien n’a été modifié',
      you_declined: 'Vous avez refusé cette modification. L’assistant est informé que rien n’a été modifié.',
      would_change: 'Voici ce qui changerait',
      dry_run: 'simulation : rien n’a été modifié',
      nothing_to_change: 'Rien à modifier',
      nothing_sent: 'rien n’a été envoyé',
      not_applied: 'Non appliqué : {fields}',
      the_change: 'La modification',
      way_back: 'Retour en arrière',
      not_shown: 'Non affiché par le service : {fields}',
      confirmed_by: 'Confirmé par {who}.',
      confirmed_person: 'une personne, interrogée par l’application de chat',
      confirmed_page: 'le bouton de cette page',
      confirmed_host: 'l’application de chat',
      confirmed_token: 'un jeton renvoyé par l’assistant',
      confirmed_policy: 'les réglages de ce serveur, sans question',
      back_unknown: 'Inconnu : l’enregistrement n’a pas été lu avant la modification.',
      back_impossible: 'Cette modification ne peut pas être annulée : {reason}.',
      back_possible: 'Cette modification peut être annulée : demandez-le à l’assistant.',
    },
  },
};
