/**
 * A rolldown plugin that replaces the text of the modules whose path matches `pattern` by `code`. The build fails when no
 * module matches: the module has moved, or is no longer imported. `hits` are the ids of the replaced modules.
 */
export function replace(name, pattern, code) {
  const hits = new Set();
  return {
    name,
    hits,
    load: {
      filter: { id: pattern },
      handler(id) {
        hits.add(id);
        return { code, moduleType: 'js' };
      },
    },
    buildEnd(error) {
      if (error || hits.size > 0) return;
      throw new Error(
        `${name} replaced nothing: no module matches ${pattern}. Give it the present path, or remove it.`,
      );
    },
  };
}
