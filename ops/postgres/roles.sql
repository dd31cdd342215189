-- Makes the two roles of Leadwell in its database, for psql as a superuser, with -v owner_password=… -v app_password=…:
-- leadwell_owner owns the tables and migrates them, leadwell_app is the login of API and worker. May be run again, and on
-- a database that has tables already: they change their owner.
\set ON_ERROR_STOP on
set client_min_messages = warning;
select format('create role %I', name) from unnest(array['leadwell_owner', 'leadwell_app']) as name
where not exists (select from pg_roles where rolname = name) \gexec
-- Also a new password, where it has changed.
alter role leadwell_owner login password :'owner_password';
alter role leadwell_app login password :'app_password';

-- Only a superuser may create earthdistance; the migrations find all three there.
create extension if not exists cube;
create extension if not exists earthdistance;
create extension if not exists btree_gist;

select format('alter database %I owner to leadwell_owner', current_database()) \gexec
select format('alter table %s owner to leadwell_owner', oid::regclass)
from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') \gexec
select format('alter routine %s owner to leadwell_owner', oid::regprocedure)
from pg_proc where pronamespace = 'public'::regnamespace
  and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e') \gexec
