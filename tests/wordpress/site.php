<?php
// What the test does to its WordPress: php site.php <folder of the site> install|plain|subscriber|trash|draft|publish [post]
[, $site, $command] = $argv;
$_SERVER['HTTP_HOST'] = 'localhost';
if ($command === 'install') {
    define('WP_INSTALLING', true);
    function wp_new_blog_notification() {}
}
require "$site/wp-load.php";

switch ($command) {
    case 'install':
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        $installed = wp_install('Clinics', 'leadwell', 'leadwell@clinics.example', true, '', wp_generate_password());
        update_option('permalink_structure', '/%postname%/');
        flush_rewrite_rules();
        for ($number = 1; $number <= 230; $number++) {
            add_clinic($number, "Dr. Number $number");
        }
        add_clinic(231, "Dr. O'Brien & Sons <em>Clinic</em>");
        add_clinic(232, 'Dr. Draft', 'draft');
        [$password] = WP_Application_Passwords::create_new_application_password($installed['user_id'], ['name' => 'Leadwell']);
        echo json_encode(['password' => $password]);
        break;
    case 'plain':
        update_option('permalink_structure', '');
        flush_rewrite_rules();
        break;
    case 'trash':
        wp_trash_post((int) $argv[3]);
        break;
    case 'draft':
    case 'publish':
        wp_update_post(['ID' => (int) $argv[3], 'post_status' => $command]);
        break;
    case 'subscriber':
        get_user_by('login', 'leadwell')->set_role('subscriber');
        break;
}

function add_clinic(int $number, string $title, string $status = 'publish'): void
{
    $id = wp_insert_post(['post_type' => 'clinic', 'post_status' => $status, 'post_title' => $title]);
    $fields = [
        'practice_name' => "Clinic $number",
        'address' => "$number Main Street, Austin, TX",
        'zip_code' => '78701',
        'phone' => '(512) 555-0100',
        'email' => "clinic$number@clinics.example",
        'latitude' => $number % 2 ? '30.27' : '',
        'longitude' => $number % 2 ? '-97.74' : '',
        'accepts_financing' => $number % 2 === 0,
    ];
    foreach ($fields as $name => $value) {
        update_post_meta($id, $name, $value);
    }
}
