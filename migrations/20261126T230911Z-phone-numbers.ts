import type { Knex } from 'knex'

/** Letters that Unicode does not take apart, and what they are searched as. `core/contract/folding.ts` has the same. */
const [FROM, TO] = ['łŁøØđĐðÐıħĦŧŦŋŊĸəƏƒƑʻʼʾʿ', `llooddddihhttnnkeeff''''`]
const PAIRS = { ß: 'ss', ẞ: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe', þ: 'th', Þ: 'th' }
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const inPairs = Object.entries(PAIRS).reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, 'plain')

/**
 * Reads every number in a phone field, and folds letters such as ł, ø and ß in names. The expressions have `{0,1}` and `\?`
 * because knex takes a question mark for a value.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    create or replace function folded(value text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      plain text;
    begin
      if octet_length(value) = length(value) then
        return lower(value);
      end if;
      plain := lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));
      plain := translate(plain, ${quoted(FROM)}, ${quoted(TO)});
      return ${inPairs};
    end $$;

    -- The digits of each phone number in a field, without the country code of the USA, and those of the whole field if
    -- that is something else. core/contract/phones.ts and core/rules/phone-numbers.ts do the same.
    create function phone_digits(phone text) returns text[] language plpgsql immutable strict parallel safe as $$
    declare
      plain text := phone;
      found text[] := '{}';
      piece text;
      rest text;
      part text;
      digits text := regexp_replace(phone, '[^0-9]', '', 'g');
    begin
      -- Almost every field is one plain number. The rest takes three times as long.
      if phone ~ '^[+]{0,1}[0-9 ().-]+$' and digits ~ '^1{0,1}[2-9][0-9]{2}[2-9][0-9]{6}$' then
        return array[right(digits, 10)];
      end if;
      if octet_length(phone) > length(phone) then
        plain := translate(
          regexp_replace(normalize(phone, nfkc), '[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'),
          '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
      end if;
      for piece in
        select match[1] from regexp_matches(
          -- Without extensions.
          regexp_replace(plain,
            '(ext(ension|n){0,1}|x|#|[;,])[ .:=,]*(ext[ .:=]*){0,1}[0-9]{1,7}(\?![ ().-]*[0-9])', ';', 'gi'),
          '([+]{0,1}[0-9(][0-9 \t-\r()./_~\u2010-\u2015\u2212·•*-]*)', 'g'
        ) match
      loop
        rest := regexp_replace(piece, '^([+]|[(]{0,1}(00|011))', '');
        if rest <> piece and regexp_replace(rest, '[^0-9]', '', 'g') !~ '^1' then
          -- A number abroad.
          digits := regexp_replace(split_part(replace(rest, '(0)', ''), '/', 1), '[^0-9]', '', 'g');
          if digits ~ '^[2-9][0-9]{6,14}$' then
            found := found || digits;
          end if;
        else
          digits := '';
          foreach part in array regexp_split_to_array(rest, '[^0-9]+') loop
            digits := digits || part;
            if digits ~ '^1{0,1}[2-9][0-9]{2}[2-9][0-9]{6}$' then
              found := found || right(digits, 10);
              digits := '';
            end if;
          end loop;
        end if;
      end loop;
      digits := regexp_replace(regexp_replace(plain, '[^0-9]', '', 'g'), '^1([0-9]{10})$', '\1');
      if digits <> '' and digits <> all(found) then
        found := found || digits;
      end if;
      return found;
    end $$;

    create or replace function national_digits(phone text) returns text
      language sql immutable strict parallel safe
      return coalesce((phone_digits(phone))[1], '');

    create or replace function lead_words(names text, email text, phone text, zip_code text) returns tsvector
      language plpgsql immutable strict parallel safe as $$
    declare
      digits text;
      words text[] := array[lower(email), zip_code];
    begin
      -- Where an index is built, functions cannot call each other by their bare names.
      foreach digits in array public.phone_digits(phone) loop
        words := words || array[digits, right(digits, 7), right(digits, 4)];
      end loop;
      return array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ${'`'}', ''), '[\s!-/:-@[-${'`'}{-~]+') || words, ''));
    end $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    create or replace function lead_words(names text, email text, phone text, zip_code text) returns tsvector
      language plpgsql immutable strict parallel safe as $$
    declare
      digits text := regexp_replace(phone, '\D', '', 'g');
    begin
      if length(digits) = 11 and starts_with(digits, '1') then
        digits := right(digits, 10);
      end if;
      return array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ${'`'}', ''), '[\s!-/:-@[-${'`'}{-~]+')
          || array[lower(email), zip_code, digits, right(digits, 7), right(digits, 4)], ''));
    end $$;
    create or replace function national_digits(phone text) returns text
      language sql immutable strict parallel safe
      return regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^1(\d{10})$', '\1');
    drop function phone_digits;
    create or replace function folded(value text) returns text language plpgsql immutable strict parallel safe as $$
    begin
      if octet_length(value) = length(value) then
        return lower(value);
      end if;
      return lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));
    end $$;
    reindex index leads_words_idx;
    reindex index leads_name_idx;
    reindex index leads_phone_idx;
    reindex index providers_words_idx;
    reindex index zip_codes_words_idx;
  `)
}
